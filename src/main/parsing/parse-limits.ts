/** Characters of one text; a kubelet's own limit for a manifest (pkg/kubelet/config/common.go: maxConfigLength). */
export const maxTextLength = 10 * 1024 * 1024

/** Tokens of one text: words, punctuation and line breaks of YAML, punctuation of JSON. Some four to a value. */
export const maxTokens = 500_000

/** Nested maps and lists. */
export const maxDepth = 500

/** Values after alias expansion. */
export const maxValues = 500_000

/** Real ms to parse one text, from when its thread starts on it. */
export const parseDeadlineMs = 10_000

/** Characters of a text that is parsed on the main thread: the slowest known text of this length takes 50 ms on a slow machine. */
export const maxInPlaceLength = 4096

export const tooLong = `It is longer than ${maxTextLength / 1024 / 1024} MiB.`
export const tooManyTokens = `It has more than ${maxTokens} tokens.`
export const tooDeep = `It has more than ${maxDepth} maps and lists within each other.`
export const tooManyValues = `It has more than ${maxValues} values once its aliases are expanded.`
