/**
 * What a server does as a member of a cluster.
 */
package org.onesided.server.cluster;
