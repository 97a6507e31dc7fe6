export const loop = {}
