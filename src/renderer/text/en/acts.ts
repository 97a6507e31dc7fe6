export const acts = {}
