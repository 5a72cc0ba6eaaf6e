"""The same devices without hardware: real decoders on simulated lines."""
