"""Settings of the validator: environment variables that begin with ``BANDSMITH_VALIDATOR_``."""

from __future__ import annotations

from pydantic import AliasChoices, Field
from pydantic_settings import SettingsConfigDict

from bandsmith.shared.settings import Settings


class ValidatorSettings(Settings):
    model_config = SettingsConfigDict(env_prefix="BANDSMITH_VALIDATOR_")

    limit: float = Field(default=20.0, gt=0)
    """Seconds that the engine may take for one template before it is killed."""
    heap_mb: int = Field(default=512, ge=128)
    """Megabytes of memory that the engine may use."""
    python_rows: int = Field(default=10_000, ge=1)
    """Maximum number of rows that a step in Python may give; the report says so if there are more."""
    min_ssim: float = Field(
        default=0.5,
        ge=0,
        le=1,
        validation_alias=AliasChoices("BANDSMITH_VALIDATOR_MIN_SSIM", "BANDSMITH_VALIDATOR_LEAST_SSIM"),
    )
    """Smallest structural similarity, from 0 to 1, at which a filled page passes as like its form."""
    min_texts: float = Field(
        default=0.25,
        ge=0,
        le=1,
        validation_alias=AliasChoices("BANDSMITH_VALIDATOR_MIN_TEXTS", "BANDSMITH_VALIDATOR_LEAST_TEXTS"),
    )
    """Smallest share of the form's texts that must be in position for a filled page to pass."""
