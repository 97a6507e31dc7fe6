/** The longest grace period that a person may ask for, in seconds: one year. */
export const maxGraceSeconds = 31_536_000

/** Longest `message` of `log.write`, in UTF-16 units; the page cuts, main refuses. */
export const maxLogMessage = 4_000

/** Longest `detail` of `log.write` (a stack), in UTF-16 units. */
export const maxLogDetail = 64_000

/** Longest pod key: cluster, node and uid, each at most a DNS name long. */
export const maxKeyLength = 800
