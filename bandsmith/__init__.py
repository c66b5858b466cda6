"""Bandsmith turns forms and sentences into JasperReports templates that the real engine has compiled and filled."""
