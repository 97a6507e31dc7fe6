import { kubectl, printed, refused, start } from './command.ts'
import type { CommandScenario, CommandStep, TextDifference } from './command.ts'
import { containersNode, isReady, runs, stays, until } from './containers.ts'

const image = '--image=busybox:1.36'

/**
 * Waits until an ephemeral container is over. `kubectl wait` before 1.31 has no path without a value, and a watch of one pod does
 * not print the first event.
 */
function untilOver(name: string, container: string): readonly CommandStep[] {
  const path = `{.status.ephemeralContainerStatuses[?(@.name=="${container}")].state.terminated.exitCode}`
  return [
    start(
      container,
      kubectl(`get pod --field-selector=metadata.name=${name} --watch -o jsonpath='${path}'`),
    ),
    printed(container, /^\d/),
  ]
}

const ofTarget: TextDifference = {
  lines: /^Warning: .*targetContainerName: not simulated/,
  why: 'the sandbox says what of a target is not simulated',
}

const notSimulated: TextDifference = {
  lines: /^Warning: .*: not simulated/,
  why: 'the sandbox says what has no effect there',
}

/** A profile, what it makes of the container, and the first minor version of kubectl that does so. */
const profiles: readonly (readonly [string, RegExp, number?])[] = [
  ['legacy', /^$/],
  ['general', /^\{"capabilities":\{"add":\["SYS_PTRACE"\]\}\}$/],
  ['baseline', /^$/],
  // The seccomp profile since 1.28, NET_RAW since 1.29.
  ['restricted', /"drop":\["ALL"\].*"runAsNonRoot":true/],
  ['netadmin', /^\{"capabilities":\{"add":\["NET_ADMIN"(,"NET_RAW")?\]\}\}$/],
  ['sysadmin', /^\{"privileged":true\}$/, 30],
]

function withProfile([
  profile,
  context,
  since = 0,
]: (typeof profiles)[number]): readonly CommandStep[] {
  const container = `of-${profile}`
  const path = `{.spec.ephemeralContainers[?(@.name=="${container}")].securityContext}`
  const differs = context.test('') ? [] : [notSimulated]
  return [
    kubectl(`debug profiled ${image} -c ${container} --profile=${profile} -- true`, {
      since,
      differs,
    }),
    kubectl(`get pod profiled -o jsonpath='${path}'`, { prints: context, since }),
  ]
}

/** There is no scheduler in front of the real kubelet. */
function copyOf(
  name: string,
  options: string,
  differs: readonly TextDifference[] = [],
): CommandStep {
  return kubectl(`debug origin --same-node --copy-to=${name} ${options}`, { differs })
}

const copied = `{.spec.shareProcessNamespace} {.spec.containers[*].name} {.spec.containers[*].image} {.metadata.labels} {.spec.restartPolicy}`

const refusedChange: TextDifference = {
  lines: /^([ +-].*|@@.*|)$/,
  why: 'the sandbox shows a refused change in the API’s own words',
}

/** kubectl debug. */
export const debugCommands: readonly CommandScenario[] = [
  {
    title: 'kubectl debug adds a container, which runs once',
    steps: [
      runs('debugged', stays),
      until(isReady, 'debugged'),
      kubectl(`debug debugged ${image} -c first -- sh -c 'echo here; exit 3'`),
      ...untilOver('debugged', 'first'),
      kubectl('logs debugged -c first', { prints: /^here\n$/ }),
      kubectl(
        `get pod debugged -o jsonpath='{.status.ephemeralContainerStatuses[0].state.terminated.exitCode} {.status.phase} {.metadata.generation}'`,
        { prints: /^3 Running 2$/ },
      ),
      kubectl('get pod debugged', { prints: /debugged +1\/1 +Running +0/ }),
      kubectl(`debug debugged ${image} -c second --target=c -- sh -c 'echo there'`, {
        prints: /Targeting container "c"/,
        differs: [ofTarget],
      }),
      ...untilOver('debugged', 'second'),
      kubectl('logs debugged -c second', { prints: /^there\n$/ }),
      kubectl(`debug debugged ${image} -i -q -c typed -- sh`, {
        stdin: 'echo said by the shell\nexit 4\n',
        prints: /said by the shell/,
      }),
      kubectl(`debug debugged ${image} -i -q -c shell`, {
        stdin: 'echo said by the shell of the image\n',
        prints: /said by the shell of the image/,
      }),
      refused(`debug debugged ${image} -c c -- true`, /Duplicate value: "c"|already exists/),
      refused(`debug debugged ${image} -c third --target=none -- true`, /Not found: "none"/),
      refused(
        `patch pod debugged --subresource=ephemeralcontainers --type=json -p '[{"op":"remove","path":"/spec/ephemeralContainers/0"}]'`,
        /existing ephemeral containers "first" may not be removed/,
        { since: 32 },
      ),
      refused(
        `patch pod debugged --subresource=ephemeralcontainers -p '{"spec":{"ephemeralContainers":[{"name":"first","image":"other:1"}]}}'`,
        /existing ephemeral containers "first" may not be changed/,
        { since: 32, differs: [refusedChange] },
      ),
      refused(`debug missing ${image} -- true`, /"missing" not found/),
    ],
  },
  {
    title: 'kubectl debug applies its profiles',
    steps: [
      runs('profiled', stays),
      until(isReady, 'profiled'),
      ...profiles.flatMap(withProfile),
      refused(`debug profiled ${image} --profile=none -- true`, /unknown profile|invalid profile/i),
    ],
  },
  {
    title: 'kubectl debug copies a pod',
    steps: [
      runs('origin', stays, { shareProcessNamespace: false }),
      until(isReady, 'origin'),
      copyOf('added', `${image} -c extra -- sh -c 'echo here; exec sleep 100000'`),
      copyOf('changed', '--set-image=c=busybox:1.35 --share-processes', [notSimulated]),
      copyOf('retold', `-c c -- sh -c 'echo retold; exec sleep 100000'`),
      ...['added', 'changed', 'retold'].map((name) => until(isReady, name)),
      kubectl('logs added -c extra', { prints: /^here\n$/ }),
      kubectl(`get pod added -o jsonpath='${copied}'`, {
        prints: /^false c extra busybox:1.36 busybox:1.36/,
      }),
      kubectl(`get pod changed -o jsonpath='${copied}'`, { prints: /c busybox:1.35/ }),
      kubectl('logs retold', { prints: /^retold\n$/ }),
      ...['general', 'restricted', 'netadmin'].flatMap((profile) => [
        copyOf(`of-${profile}`, `${image} --profile=${profile} -c extra -- true`, [notSimulated]),
        kubectl(
          `get pod of-${profile} -o jsonpath='${copied} {.spec.containers[1].securityContext}'`,
        ),
      ]),
      refused(
        `debug origin --same-node --copy-to=added ${image} -c extra -- true`,
        /pods "added" already exists/,
      ),
    ],
  },
  {
    title: 'kubectl debug starts a pod on a node',
    steps: [
      runs('first', stays),
      until(isReady, 'first'),
      kubectl(`debug node/${containersNode} ${image} --attach=false -- sh -c 'exec sleep 100000'`, {
        prints: /Creating debugging pod node-debugger-localhost-/,
        differs: [notSimulated],
      }),
      kubectl(
        `get pod -o jsonpath='{.items[1].spec.hostNetwork} {.items[1].spec.nodeName} {.items[1].spec.volumes[0].hostPath.path}'`,
        { prints: /^true localhost \/$/ },
      ),
      refused(`debug node/none ${image} -- true`, /nodes "none" not found/),
    ],
  },
]
