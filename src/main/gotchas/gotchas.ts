import { gotchaCategories } from '../../shared/model/gotcha.ts'
import type { GotchaCategory } from '../../shared/model/gotcha.ts'
import type { Gotcha, GotchaScript } from './gotcha.ts'
import { apiServerUnreachable } from './scripts/api-server-unreachable.ts'
import { containerFiles } from './scripts/container-files.ts'
import { containerLimits } from './scripts/container-limits.ts'
import { containerStarts } from './scripts/container-starts.ts'
import { containers } from './scripts/containers.ts'
import { howPodsEnd } from './scripts/how-pods-end.ts'
import { manifests } from './scripts/manifests.ts'
import { mirrorPods } from './scripts/mirror-pods.ts'
import { restarts } from './scripts/restarts.ts'

const scripts: Readonly<Record<GotchaCategory, readonly GotchaScript[]>> = {
  'Mirror pods': mirrorPods,
  Manifests: manifests,
  'API server unreachable': apiServerUnreachable,
  'How pods end': howPodsEnd,
  Restarts: restarts,
  Containers: [...containers, ...containerStarts, ...containerFiles, ...containerLimits],
}

/** All gotchas, in the order of the list. */
export const gotchas: readonly Gotcha[] = gotchaCategories.flatMap((category) =>
  scripts[category].map((script) => ({ ...script, category })),
)
