/**
 * What a server does as a member of a cluster. In the making: no option leads here yet.
 */
package org.onesided.server.cluster;
