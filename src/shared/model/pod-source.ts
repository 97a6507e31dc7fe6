/** Where a kubelet has a pod from: its manifest folder, its manifest URL, or the API server. */
export type PodSource = 'file' | 'http' | 'api'
