// SPDX-License-Identifier: MIT
// life.js: what a thread's life went into. It must not know the screen.
export const LIFE = [{ id: "cpu", title: "on a CPU", colour: "user" }, { id: "wait", title: "waiting in calls", colour: "wait" },
    { id: "delay", title: "ready, no CPU", colour: "high" }, { id: "rest", title: "off the CPU elsewhere", colour: "quiet" }];

// The parts sum to its life: what no clock tells is the rest.
export function lifeOf({ wall_ns: wall, cpu_ns, delay_ns, wait_ns }) {
    const cpu = Math.min(cpu_ns, wall), delay = Math.min(delay_ns, wall - cpu), wait = Math.min(wait_ns, wall - cpu - delay);
    return { cpu, wait, delay, rest: wall - cpu - delay - wait };
}
