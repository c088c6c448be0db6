/**
 * Shared by the server's agents: commands from other threads.
 */
package org.onesided.server.agent;
