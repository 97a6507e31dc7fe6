import type {
  ContainerEnvironment,
  PodVolumes,
  ReferredObject,
  VariableView,
  VolumeView,
} from '../../../../shared/model/inside-pod/pod-volumes.ts'

export function fakeObject(part: Partial<ReferredObject> = {}): ReferredObject {
  return {
    kind: 'ConfigMap',
    name: 'rules',
    state: 'found',
    isOptional: false,
    keys: [],
    missingKeys: [],
    keyCount: part.state === undefined ? 2 : null,
    asOf: null,
    ...part,
  }
}

/** Mounted, unless something else is said. */
export function fakeVolume(part: Partial<VolumeView> = {}): VolumeView {
  return {
    name: 'cache',
    source: { kind: 'emptyDir', medium: '', sizeLimit: '64Mi' },
    mounts: [{ container: 'main', path: '/var/cache', isReadOnly: false, subPath: '' }],
    state: 'mounted',
    since: null,
    updatedAt: null,
    failure: null,
    renewsAt: null,
    ...part,
  }
}

export function fakeVariable(part: Partial<VariableView> = {}): VariableView {
  return {
    name: 'LEVEL',
    source: { kind: 'spec' },
    state: 'found',
    value: '',
    isHidden: false,
    isOutdated: false,
    message: '',
    asOf: null,
    ...part,
  }
}

export function fakeEnvironment(
  variables: readonly VariableView[],
  part: Partial<ContainerEnvironment> = {},
): ContainerEnvironment {
  return { container: 'main', isGiven: false, refusal: '', variables, left: 0, ...part }
}

export function fakePodVolumes(part: Partial<PodVolumes> = {}): PodVolumes {
  return { volumes: [], volumesLeft: 0, environments: [], isKnown: true, ...part }
}
