/**
 * The shared-memory device: processes of one user on one machine.
 *
 * <p>The CPU of whoever posts a request plays both network cards. Each context owns a directory below {@code /dev/shm}
 * with its memory, its table of memory regions and one file per queue pair; peers map what they may trust and copy.
 * Nothing runs in the background but one thread that notices when a peer's process dies.
 */
package org.onesided.verbs.shm;
