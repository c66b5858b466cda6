# syntax=docker/dockerfile:1
# One image for every process of Bandsmith: `docker build -t bandsmith:0.1.0 .`
# For GPUs: `docker build -t bandsmith-gpu:0.1.0 --build-arg DEVICE=cuda .`

# The system that Bandsmith is tested on, with the runtime packages that tools/setup.py installs.
FROM debian:12.15-slim AS system
RUN apt-get update \
    && apt-get install -y --no-install-recommends \
        python3 openjdk-17-jre-headless libgl1 libglib2.0-0 \
        fonts-liberation fonts-dejavu-core fonts-dejavu-extra fonts-droid-fallback \
    && rm -rf /var/lib/apt/lists/*

# Build tools, which are not part of the final image.
FROM system AS build
RUN apt-get update \
    && apt-get install -y --no-install-recommends python3-venv maven \
    && rm -rf /var/lib/apt/lists/*
ENV PATH=/opt/bandsmith/venv/bin:$PATH \
    PIP_NO_CACHE_DIR=1 \
    PIP_DISABLE_PIP_VERSION_CHECK=1 \
    BANDSMITH_ENGINE=/opt/bandsmith/engine \
    BANDSMITH_OCR_CACHE=/opt/bandsmith/ocr
WORKDIR /opt/bandsmith/source
RUN python3 -m venv /opt/bandsmith/venv

# Only the dependencies, so that a change of the source does not download them again.
COPY pyproject.toml README.md ./
RUN pip install --editable '.[cluster]'
ARG DEVICE=cpu
RUN if [ "$DEVICE" = cuda ]; then \
        pip uninstall -y onnxruntime && pip install 'onnxruntime-gpu[cuda,cudnn]>=1.23,<2'; \
    fi

# The source, the engine's jars and fonts, the OCR models in PaddleOCR's layout.
COPY shared shared
COPY services services
COPY bandsmith bandsmith
COPY prompts prompts
RUN pip install --no-deps --editable . \
    && python -m bandsmith.services.validator.engine.setup \
    && python -c 'import bandsmith.services.ocr.engines.models as m; from pathlib import Path; \
        [m.paddle_folder(name, Path("/opt/bandsmith/ocr")) for name in (m.DETECTION, m.RECOGNITION)]' \
    && python -m compileall -q .

FROM system
ENV PATH=/opt/bandsmith/venv/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    HOME=/tmp \
    BANDSMITH_ENGINE=/opt/bandsmith/engine \
    BANDSMITH_OCR_CACHE=/opt/bandsmith/ocr \
    RAY_USAGE_STATS_ENABLED=0 \
    NVIDIA_DRIVER_CAPABILITIES=compute,utility
COPY --from=build /opt/bandsmith /opt/bandsmith
# Login shells, which KubeRay may use, have /usr/local/bin in their PATH but not the virtual environment.
RUN ln -s /opt/bandsmith/venv/bin/bandsmith /opt/bandsmith/venv/bin/ray /usr/local/bin/ \
    && useradd --uid 10001 --no-create-home --home-dir /tmp --shell /usr/sbin/nologin bandsmith \
    && install -d -o 10001 -g 10001 /knowledge
USER 10001:10001
WORKDIR /tmp
ENTRYPOINT ["bandsmith"]
CMD ["serve"]
