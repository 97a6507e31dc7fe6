export type ViewName = 'flow' | 'pods' | 'mirrors' | 'manifests' | 'gotchas' | 'handbook' | 'start'
