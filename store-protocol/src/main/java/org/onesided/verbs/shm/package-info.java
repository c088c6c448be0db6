/**
 * The shared-memory device: processes of one user on one machine.
 *
 * <p>The thread that posts a request plays both network cards. Each context owns a directory below {@code /dev/shm}
 * with its memory, its table of memory regions and one file per queue pair; peers map what they may trust and copy.
 * Nothing runs in the background but one thread that notices when a peer's process dies.
 *
 * <p>File permissions keep other users out. A peer of the same user is trusted, unless the queue pair says otherwise:
 * then nothing that the peer made is mapped, its words in the shared file are checked before they are used, and what
 * it writes there ends that queue pair at worst. This guards against a peer that scribbles over shared words or shrinks
 * its own files, and not against a process of the same user, the peer's included, that truncates this process' files:
 * the queue pair's file, its memory. Touching them then fails, wherever it happens; such a process could as well kill
 * this one.
 *
 * <p>Where it departs from hardware: the requests of a peer that is gone fail at once and not after the retries; a
 * receiver takes messages in when it polls, so a READ does not see what a SEND before it brought, and a message longer
 * than the ring waits for a receiver that is stopped; atomics on an untrusted peer's memory, and shared receive queues
 * for one, are refused.
 */
package org.onesided.verbs.shm;
