#ifndef HELIOGRAPH_CSQLITE_H
#define HELIOGRAPH_CSQLITE_H
#include <errno.h>
#include <sqlite3.h>
/// SQLITE_TRANSIENT is a cast macro that Swift does not import.
static inline sqlite3_destructor_type csqlite_transient(void) { return SQLITE_TRANSIENT; }
#endif
