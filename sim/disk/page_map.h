// The bytes of one file as a persistent map of 512-byte sectors: copying the map shares everything, a
// write copies only what it changes and what others still share. One thread; counts are not atomic.
//
// The unit of storage may never show in a result: it reads like a sparse array of zeros.
#pragma once

// To be designed with the disk: SectorRef (an intrusive reference to 512 bytes, null meaning zeros) and
// PageMap (a persistent radix tree of them; copying one is O(1)).
