"""The bus: `base` says what one does, `nats` is the real one, `memory` is the double held to the same contract."""
