/**
 * Whether the store is linearizable: clients in processes of their own record all that they do, and a checker looks for
 * an order that explains what they saw. {@code Runner} is the program.
 */
package org.onesided.linearizability;
