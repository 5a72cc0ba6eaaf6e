"""Hold the pure state of an evening: acts, hall, sale, claims, money, readiness."""
