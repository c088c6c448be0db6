/**
 * Failures of operations: one exception per remedy, each with the fate of the failed write. All packages of the client
 * throw them; they depend on none.
 */
@NullMarked
package org.onesided.client.exceptions;

import org.jspecify.annotations.NullMarked;
