/**
 * The tcp device: iWARP's protocols in user space, MPA (RFC 5044 and 6581), DDP (RFC 5041) and RDMAP (RFC 5040), over
 * any network.
 *
 * <p>A device that listens, {@code tcp:INTERFACE_OR_ADDRESS:PORT}, has its address for a GID and its port for a LID;
 * one that only connects, {@code tcp}, has neither. A queue pair's device bytes carry a secret, without which nobody
 * is connected to it.
 *
 * <p>A thread of the context serves the connections that were accepted, so that a peer's READs wait for no program
 * that polls; but it stops with the process. Connections that this side made are read by the thread that polls or
 * sleeps in a completion channel.
 *
 * <p>Peers are not trusted. Every length is checked before it is used, every key, range and right for each request;
 * what a connection can make this side hold is bounded; a frame that is wrong ends its own connection only.
 *
 * <p>Where it departs from InfiniBand: a SEND completes when it is in the stream, acknowledged or not, so that errors
 * at the receiver end the connection and not the request; there is no "receiver not ready", a message that finds no
 * receive waits in a bounded buffer; no immediate data, no atomics; the end of a connection tells at once that the
 * peer is gone; a queue pair cannot be connected to itself. SENDs that were completed before a queue pair is destroyed
 * or fails may arrive or not.
 *
 * <p>Lock order: as in {@link org.onesided.verbs.soft}, then those of the progress thread's queue and of a channel's
 * selector.
 */
package org.onesided.verbs.tcp;
