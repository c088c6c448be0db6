/**
 * The conformance suite: every rule of the verbs as a test, against {@link org.onesided.verbs} alone, for each device
 * that {@code -Donesided.conformance.devices=shm,...} names. A {@link org.onesided.conformance.Pair} of two
 * {@link org.onesided.conformance.Side}s stands for two hosts; {@link org.onesided.conformance.PeerProcess} is a second
 * process where it takes one. What a device does otherwise, and why, stands in
 * {@link org.onesided.conformance.Departures} and nowhere else.
 */
package org.onesided.conformance;
