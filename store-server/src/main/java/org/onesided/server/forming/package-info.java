/**
 * Makes a blank server a member of a cluster, and changes the members of one, as clients ask. Internal to the server.
 */
package org.onesided.server.forming;
