// StoreConformance.
