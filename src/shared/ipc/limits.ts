/** The longest grace period that a person may ask for, in seconds: one year. */
export const maxGraceSeconds = 31_536_000

/** Longest `message` of `log.write`, in UTF-16 units; the page cuts, main refuses. */
export const maxLogMessage = 4_000

/** Longest `detail` of `log.write` (a stack), in UTF-16 units. */
export const maxLogDetail = 64_000

/** Longest pod key: cluster, node and uid, each at most a DNS name long. */
export const maxKeyLength = 800

/** Most pods of one `pods.facts`; the page asks for more in parts. */
export const maxFactsKeys = 200

/** Longest manifest that is read or written, in UTF-16 units: the kubelet's own limit is 10 MiB. */
export const maxManifestLength = 1_048_576

/** Longest scenario, in UTF-16 units. */
export const maxScenarioLength = 1_048_576

/** Longest text of a kubeconfig, in UTF-16 units. */
export const maxKubeconfigLength = 4 * 1_048_576

/** Longest name of an environment variable: a prefix and a key of a ConfigMap. */
export const maxVariableName = 4_096

/** Longest piece of an uploaded log, in base64: 1 MiB of the log. */
export const maxLogPiece = 1_400_000

/** Most files that one log is opened from: rotated parts. */
export const maxLogFiles = 100

/** Most lines of a log in one answer. */
export const maxLogLines = 500

/** The slowest and the fastest that a virtual clock runs, in virtual ms per real one. */
export const clockSpeeds = { min: 0.1, max: 1000 } as const
