"""What can be set for the validator, by environment variables that begin with ``BANDSMITH_VALIDATOR_``."""

from __future__ import annotations

from pydantic import Field
from pydantic_settings import SettingsConfigDict

from bandsmith.shared.settings import Settings


class ValidatorSettings(Settings):
    model_config = SettingsConfigDict(env_prefix="BANDSMITH_VALIDATOR_")

    limit: float = Field(default=20.0, gt=0)
    """Seconds that the engine may take for one template before it is killed."""
    heap_mb: int = Field(default=512, ge=128)
    """Megabytes of memory that the engine may use."""
    least_ssim: float = Field(default=0.5, ge=0, le=1)
    """A filled page less like its form than this does not pass."""
    least_texts: float = Field(default=0.25, ge=0, le=1)
    """Nor does one that has less than this share of the form's texts at their places."""
