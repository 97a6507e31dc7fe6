import { kubectl, refused, type CommandScenario, type TextDifference } from './command.ts'
import { isReady, runs, stays, until } from './containers.ts'

const image = '--image=busybox:1.36'

/** Waits until an ephemeral container is over. */
function untilOver(name: string, container: string): ReturnType<typeof kubectl> {
  const path = `{.status.ephemeralContainerStatuses[?(@.name=="${container}")].state.terminated.exitCode}`
  return kubectl(`wait --for=jsonpath='${path}' pod/${name} --timeout=60s`, {
    prints: /condition met/,
  })
}

const ofTarget: TextDifference = {
  lines: /^Warning: .*targetContainerName: not simulated/,
  why: 'the sandbox says what of a target is not simulated',
}

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
      untilOver('debugged', 'first'),
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
      untilOver('debugged', 'second'),
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
]
