export const manifests = {}
