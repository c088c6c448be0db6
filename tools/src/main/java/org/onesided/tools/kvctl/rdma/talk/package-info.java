/**
 * Conversations with one RDMA peer, C programs among them: what {@code kvctl rdma pingpong}, {@code example} and
 * {@code shell} do. Two sides meet over TCP, tell each other their queue pairs, and go on over the verbs API.
 */
package org.onesided.tools.kvctl.rdma.talk;
