/**
 * YCSB and the binding for it, against a server.
 */
package org.onesided.endtoend.ycsb;
