// SPDX-License-Identifier: Apache-2.0
package mpi;

/** What {@link Cartcomm#Get} tells of a grid. */
public class CartParms {

  /** How many processes each dimension has. */
  public int[] dims;

  /** Which dimensions are rings. */
  public boolean[] periods;

  /** Where this process is. */
  public int[] coords;

  CartParms(int[] dims, boolean[] periods, int[] coords) {
    this.dims = dims;
    this.periods = periods;
    this.coords = coords;
  }
}
