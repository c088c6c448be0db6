/**
 * Lookups by READs, single or in groups, scans and warm-up. The client judges the bytes in private memory, and asks the
 * server for what READs do not settle. Internal; it uses {@code session}, {@code request} (for lookups that the server
 * answers), {@code exceptions} and {@code types} only.
 */
package org.onesided.client.read;
