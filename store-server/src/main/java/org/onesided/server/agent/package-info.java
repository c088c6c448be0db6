/**
 * What the server's agents share: commands that other threads give them.
 */
package org.onesided.server.agent;
