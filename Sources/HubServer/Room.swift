// The HubServer room.
