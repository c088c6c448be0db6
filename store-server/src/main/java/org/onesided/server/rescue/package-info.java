/**
 * How the directory of one member becomes a table again, when most of its cluster is lost.
 */
package org.onesided.server.rescue;
