/**
 * Makes a blank server a member of a cluster, as a client asks. Internal to the server.
 */
package org.onesided.server.forming;
