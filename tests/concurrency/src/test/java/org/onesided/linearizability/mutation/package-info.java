/**
 * Plants bugs into a copy of the store, and sees that a run finds each. {@code Mutations} is the program.
 */
package org.onesided.linearizability.mutation;
