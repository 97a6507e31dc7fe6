export const pods = {}
