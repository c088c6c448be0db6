/**
 * {@code kvctl server}, its settings, and a server in a process of its own.
 */
package org.onesided.tools.kvctl.server;
