/**
 * Lookups by READs, alone or in groups, scans and warm-up: what is READ is judged in private memory, and what READs
 * cannot settle the server is asked. Internal; it uses {@code session}, {@code request} (for lookups that the server
 * answers), {@code exceptions} and {@code types} only.
 */
package org.onesided.client.read;
