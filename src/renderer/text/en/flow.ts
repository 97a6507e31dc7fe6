export const flow = {}
