"""The interface of OpenAI, ``/v1``: chat programs talk to Bandsmith as if it were a model.

A model knows no sessions. The session is found in the request, as ``requests.py`` says.
"""
