/**
 * Simulates which records a server should evict, with what it sees of lookups. Not part of the store: {@code tests/run
 * eviction} runs it, and {@code docs/eviction.md} has what it found.
 */
package org.onesided.eviction;
