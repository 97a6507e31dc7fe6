import { kubectl, refused, type CommandScenario, type TextDifference } from './command.ts'
import { podYaml, runningPod } from './objects.ts'

const servedResources =
  /^(NAME|bindings|pods|nodes|namespaces|events {2}ev {2}v1 |serviceaccounts|configmaps|services|replicationcontrollers|resourcequotas|limitranges|leases|daemonsets|poddisruptionbudgets|secrets|persistentvolumeclaims|persistentvolumes|priorityclasses|runtimeclasses|storageclasses)\b/

/** Lines about features of a real server only. */
function notServed(served: RegExp): TextDifference {
  return {
    lines: new RegExp(`^(?!${served.source})`),
    why: 'the sandbox has only what the life of pods on a node needs',
  }
}

const metricsServed: TextDifference = {
  lines: /^(nodes|pods) +metrics\.k8s\.io/,
  why: 'beside a real server runs a metrics-server',
}

const noDescriptions: TextDifference = {
  // With the empty line that kubectl puts behind a description.
  lines: /^( {4}.*)?$/,
  why: 'the table of kinds has no descriptions',
}

const otherChecks: TextDifference = {
  lines:
    /^\[\+\](?!ping|poststarthook\/(start-system-namespaces-controller|scheduling\/bootstrap-system-priority-classes|bootstrap-controller) )/,
  why: 'the sandbox has fewer parts that start',
}

const asNode = '--as=system:node:n2 --as-group=system:nodes'

/** Commands about the server itself, and with impersonation. */
export const serverCommands: readonly CommandScenario[] = [
  {
    title: 'the server',
    steps: [
      kubectl('version', {
        prints: /Server Version: v1\.34\./,
        since: 28,
        differs: [{ lines: /^Server Version: /, why: 'the sandbox says that it is one' }],
      }),
      kubectl('cluster-info', { prints: /running at/ }),
      kubectl('api-versions', {
        prints: /^v1$/m,
        differs: [notServed(/^(v1|apps\/v1|coordination\.k8s\.io\/v1)$/)],
      }),
      kubectl('api-resources', {
        prints: /^pods +po +v1 +true +Pod$/m,
        differs: [notServed(servedResources), metricsServed],
      }),
      kubectl('api-resources --api-group=coordination.k8s.io', { prints: /leases/ }),
      kubectl('get --raw /readyz', { prints: /ok/ }),
      kubectl('get --raw /livez', { prints: /ok/ }),
      ...['readyz', 'livez', 'healthz'].map((group) =>
        kubectl(`get --raw /${group}?verbose&exclude=ping`, {
          prints: new RegExp(
            `^\\[\\+\\]ping excluded: ok\n(\\[\\+\\][a-z0-9/-]+ ok\n)+${group} check passed\n$`,
          ),
          differs: [otherChecks],
        }),
      ),
      kubectl('get --raw /readyz?verbose&exclude=nope', {
        prints: /^warn: some health checks cannot be excluded: no matches for "nope"$/m,
        differs: [otherChecks],
      }),
      kubectl('get --raw /readyz/ping', { prints: /^ok$/ }),
      refused('get --raw /readyz/nope', /NotFound/),
    ],
  },
  {
    title: 'explain',
    steps: [
      refused('explain pod.spec.colour', /field "colour" does not exist/),
      refused('explain gizmos', /./),
      kubectl('explain pod.spec.terminationGracePeriodSeconds', {
        prints: /<integer>/,
        differs: [noDescriptions],
      }),
      kubectl('explain lease', {
        prints: /GROUP: +coordination\.k8s\.io/,
        differs: [noDescriptions],
      }),
    ],
  },
  {
    title: 'requests that a node may not send',
    steps: [
      ...runningPod('web'),
      refused(`delete pod web ${asNode}`, /can only delete pods with spec\.nodeName set to itself/),
      refused(`delete node n1 ${asNode}`, /cannot delete resource "nodes"/),
      refused(`delete lease other ${asNode}`, /Forbidden/),
      refused(`create -f - ${asNode}`, /Forbidden/, { stdin: podYaml('plain') }),
      refused(`create -f - ${asNode}`, /cannot create resource "configmaps"|Forbidden/, {
        stdin: 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\n',
      }),
    ],
  },
]
