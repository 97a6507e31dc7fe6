export const handbook = {}
