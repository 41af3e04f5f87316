// The Crypto room.
