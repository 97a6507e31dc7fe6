export const pod = {}
