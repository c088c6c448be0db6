/**
 * Client and server together, where a test needs to reach into the client.
 */
package org.onesided.client;
