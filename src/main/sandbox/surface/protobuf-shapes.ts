import type { MessageShape } from './protobuf-reader.ts'

// The field numbers of Kubernetes' generated.proto files.
const ownerReference: MessageShape = new Map([
  [5, ['apiVersion', 'string']],
  [1, ['kind', 'string']],
  [3, ['name', 'string']],
  [4, ['uid', 'string']],
  [6, ['controller', 'bool']],
  [7, ['blockOwnerDeletion', 'bool']],
])

const objectMeta: MessageShape = new Map([
  [1, ['name', 'string']],
  [2, ['generateName', 'string']],
  [3, ['namespace', 'string']],
  [5, ['uid', 'string']],
  [6, ['resourceVersion', 'string']],
  [8, ['creationTimestamp', 'time']],
  [9, ['deletionTimestamp', 'time']],
  [10, ['deletionGracePeriodSeconds', 'int']],
  [11, ['labels', 'map']],
  [12, ['annotations', 'map']],
  [13, ['ownerReferences', { list: { message: ownerReference } }]],
  [14, ['finalizers', { list: 'string' }]],
])

const namespace: MessageShape = new Map([
  [1, ['metadata', { message: objectMeta }]],
  [2, ['spec', { message: new Map([[1, ['finalizers', { list: 'string' }]]]) }]],
  [3, ['status', { message: new Map([[1, ['phase', 'string']]]) }]],
])

const preconditions: MessageShape = new Map([
  [1, ['uid', 'string']],
  [2, ['resourceVersion', 'string']],
])

const deleteOptions: MessageShape = new Map([
  [1, ['gracePeriodSeconds', 'int']],
  [2, ['preconditions', { message: preconditions }]],
  [3, ['orphanDependents', 'bool']],
  [4, ['propagationPolicy', 'string']],
  [5, ['dryRun', { list: 'string' }]],
])

const references: MessageShape = new Map([[1, ['name', 'string']]])

const secret: MessageShape = new Map([
  [1, ['metadata', { message: objectMeta }]],
  [2, ['data', 'bytesMap']],
  [3, ['type', 'string']],
  [4, ['stringData', 'map']],
  [5, ['immutable', 'bool']],
])

const configMap: MessageShape = new Map([
  [1, ['metadata', { message: objectMeta }]],
  [2, ['data', 'map']],
  [3, ['binaryData', 'bytesMap']],
  [4, ['immutable', 'bool']],
])

const serviceAccount: MessageShape = new Map([
  [1, ['metadata', { message: objectMeta }]],
  [2, ['secrets', { list: { message: new Map([[3, ['name', 'string']]]) } }]],
  [3, ['imagePullSecrets', { list: { message: references } }]],
  [4, ['automountServiceAccountToken', 'bool']],
])

const servicePort: MessageShape = new Map([
  [1, ['name', 'string']],
  [2, ['protocol', 'string']],
  [3, ['port', 'int']],
  [4, ['targetPort', 'intOrString']],
  [5, ['nodePort', 'int']],
  [6, ['appProtocol', 'string']],
])

const clientIp: MessageShape = new Map([[1, ['timeoutSeconds', 'int']]])

const serviceSpec: MessageShape = new Map([
  [1, ['ports', { list: { message: servicePort } }]],
  [2, ['selector', 'map']],
  [3, ['clusterIP', 'string']],
  [4, ['type', 'string']],
  [5, ['externalIPs', { list: 'string' }]],
  [7, ['sessionAffinity', 'string']],
  [8, ['loadBalancerIP', 'string']],
  [9, ['loadBalancerSourceRanges', { list: 'string' }]],
  [10, ['externalName', 'string']],
  [11, ['externalTrafficPolicy', 'string']],
  [12, ['healthCheckNodePort', 'int']],
  [13, ['publishNotReadyAddresses', 'bool']],
  [14, ['sessionAffinityConfig', { message: new Map([[1, ['clientIP', { message: clientIp }]]]) }]],
  [17, ['ipFamilyPolicy', 'string']],
  [18, ['clusterIPs', { list: 'string' }]],
  [19, ['ipFamilies', { list: 'string' }]],
  [20, ['allocateLoadBalancerNodePorts', 'bool']],
  [21, ['loadBalancerClass', 'string']],
  [22, ['internalTrafficPolicy', 'string']],
  [23, ['trafficDistribution', 'string']],
])

const priorityClass: MessageShape = new Map([
  [1, ['metadata', { message: objectMeta }]],
  [2, ['value', 'int']],
  [3, ['globalDefault', 'bool']],
  [4, ['description', 'string']],
  [5, ['preemptionPolicy', 'string']],
])

const boundObject: MessageShape = new Map([
  [1, ['kind', 'string']],
  [2, ['apiVersion', 'string']],
  [3, ['name', 'string']],
  [4, ['uid', 'string']],
])

const tokenRequestSpec: MessageShape = new Map([
  [1, ['audiences', { list: 'string' }]],
  [3, ['boundObjectRef', { message: boundObject }]],
  [4, ['expirationSeconds', 'int']],
])

const selectorRequirement: MessageShape = new Map([
  [1, ['key', 'string']],
  [2, ['operator', 'string']],
  [3, ['values', { list: 'string' }]],
])

const labelSelector: MessageShape = new Map([
  [1, ['matchLabels', 'map']],
  [2, ['matchExpressions', { list: { message: selectorRequirement } }]],
])

const disruptionBudgetSpec: MessageShape = new Map([
  [1, ['minAvailable', 'intOrString']],
  [2, ['selector', { message: labelSelector }]],
  [3, ['maxUnavailable', 'intOrString']],
  [4, ['unhealthyPodEvictionPolicy', 'string']],
])

/** An object with metadata and this spec. */
function withSpec(spec: MessageShape): MessageShape {
  return new Map([
    [1, ['metadata', { message: objectMeta }]],
    [2, ['spec', { message: spec }]],
  ])
}

/** The kinds that kubectl sends in protobuf. */
export const shapeByKind: ReadonlyMap<string, MessageShape> = new Map([
  ['Namespace', namespace],
  ['DeleteOptions', deleteOptions],
  ['Secret', secret],
  ['ConfigMap', configMap],
  ['ServiceAccount', serviceAccount],
  ['Service', withSpec(serviceSpec)],
  ['PriorityClass', priorityClass],
  ['TokenRequest', withSpec(tokenRequestSpec)],
  ['PodDisruptionBudget', withSpec(disruptionBudgetSpec)],
])
