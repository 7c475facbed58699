// The constraints of quantized types: each holds in the first chunk, and the
// others violate what their name says.

func.func @quantized_element_type_holds(
    %per_tensor: tensor<2x!quant.uniform<i8:f32, 0.5:3>>,
    %per_axis: tensor<2x3x!quant.uniform<i8<-100:100>:f32:1, {0.5:-100, 0.25, 1.0:100}>>,
    %unsigned: tensor<!quant.uniform<u4<1:2>:f16, 1.0e-3:2>>,
    %narrow: tensor<0x!quant.uniform<i2:bf16, 3.0:-2>>) -> tensor<2x!quant.uniform<i8:f32, 0.5:3>> {
  %sum = stablehlo.add %per_tensor, %per_tensor : tensor<2x!quant.uniform<i8:f32, 0.5:3>>
  func.return %sum : tensor<2x!quant.uniform<i8:f32, 0.5:3>>
}

// -----

// expected-error@+1 {{-129 is no i8}}
func.func @quantized_element_type_c1_c3(%arg0: tensor<2x!quant.uniform<i8<-129:127>:f32, 0.5>>) -> tensor<2x!quant.uniform<i8<-129:127>:f32, 0.5>> {
  func.return %arg0 : tensor<2x!quant.uniform<i8<-129:127>:f32, 0.5>>
}

// -----

// expected-error@+1 {{128 is no i8}}
func.func @quantized_element_type_c2_c3(%arg0: tensor<2x!quant.uniform<i8<-128:128>:f32, 0.5>>) -> tensor<2x!quant.uniform<i8<-128:128>:f32, 0.5>> {
  func.return %arg0 : tensor<2x!quant.uniform<i8<-128:128>:f32, 0.5>>
}

// -----

// expected-error@+1 {{the bounds are one value}}
func.func @quantized_element_type_c3_equal(%arg0: tensor<2x!quant.uniform<i8<5:5>:f32, 0.5:5>>) -> tensor<2x!quant.uniform<i8<5:5>:f32, 0.5:5>> {
  func.return %arg0 : tensor<2x!quant.uniform<i8<5:5>:f32, 0.5:5>>
}

// -----

// expected-error@+1 {{the bounds change places}}
func.func @quantized_element_type_c3_swapped(%arg0: tensor<2x!quant.uniform<u8<3:2>:f32, 0.5:3>>) -> tensor<2x!quant.uniform<u8<3:2>:f32, 0.5:3>> {
  func.return %arg0 : tensor<2x!quant.uniform<u8<3:2>:f32, 0.5:3>>
}

// -----

// expected-error@+1 {{1e5 is beyond f16}}
func.func @quantized_element_type_c4_infinite(%arg0: tensor<2x!quant.uniform<i8:f16, 1.0e5>>) -> tensor<2x!quant.uniform<i8:f16, 1.0e5>> {
  func.return %arg0 : tensor<2x!quant.uniform<i8:f16, 1.0e5>>
}

// -----

// expected-error@+1 {{1e-60 is 0 in f32}}
func.func @quantized_element_type_c4_zero(%arg0: tensor<2x!quant.uniform<i8:f32, 1.0e-60>>) -> tensor<2x!quant.uniform<i8:f32, 1.0e-60>> {
  func.return %arg0 : tensor<2x!quant.uniform<i8:f32, 1.0e-60>>
}

// -----

// expected-error@+1 {{a scale of 0}}
func.func @quantized_element_type_c5_zero(%arg0: tensor<2x!quant.uniform<i8:f32, 0.0>>) -> tensor<2x!quant.uniform<i8:f32, 0.0>> {
  func.return %arg0 : tensor<2x!quant.uniform<i8:f32, 0.0>>
}

// -----

// expected-error@+1 {{a negative scale}}
func.func @quantized_element_type_c5_negative(%arg0: tensor<2x!quant.uniform<i8:f32, -0.5>>) -> tensor<2x!quant.uniform<i8:f32, -0.5>> {
  func.return %arg0 : tensor<2x!quant.uniform<i8:f32, -0.5>>
}

// -----

// expected-error@+1 {{no finite scale}}
func.func @quantized_element_type_c6(%arg0: tensor<2x!quant.uniform<i8:f32, 1.0e400>>) -> tensor<2x!quant.uniform<i8:f32, 1.0e400>> {
  func.return %arg0 : tensor<2x!quant.uniform<i8:f32, 1.0e400>>
}

// -----

// expected-error@+1 {{a zero point below the bounds}}
func.func @quantized_element_type_c7_low(%arg0: tensor<2x!quant.uniform<i8<-10:10>:f32, 0.5:-11>>) -> tensor<2x!quant.uniform<i8<-10:10>:f32, 0.5:-11>> {
  func.return %arg0 : tensor<2x!quant.uniform<i8<-10:10>:f32, 0.5:-11>>
}

// -----

// expected-error@+1 {{a zero point above the bounds}}
func.func @quantized_element_type_c7_high(%arg0: tensor<2x!quant.uniform<i8<-10:10>:f32, 0.5:11>>) -> tensor<2x!quant.uniform<i8<-10:10>:f32, 0.5:11>> {
  func.return %arg0 : tensor<2x!quant.uniform<i8<-10:10>:f32, 0.5:11>>
}

// -----

// expected-error@+1 {{128 is no i8}}
func.func @quantized_element_type_c7_c8(%arg0: tensor<2x!quant.uniform<i8:f32, 0.5:128>>) -> tensor<2x!quant.uniform<i8:f32, 0.5:128>> {
  func.return %arg0 : tensor<2x!quant.uniform<i8:f32, 0.5:128>>
}

// -----

// expected-error@+1 {{two scales of a type without a dimension}}
func.func @quantized_element_type_c10(%arg0: tensor<2x!quant.uniform<i8:f32, {0.5, 0.25}>>) -> tensor<2x!quant.uniform<i8:f32, {0.5, 0.25}>> {
  func.return %arg0 : tensor<2x!quant.uniform<i8:f32, {0.5, 0.25}>>
}

// -----

// expected-error@+1 {{a dimension below 0}}
func.func @quantized_element_type_c11(%arg0: tensor<2x!quant.uniform<i8:f32:-1, {0.5, 0.25}>>) -> tensor<2x!quant.uniform<i8:f32:-1, {0.5, 0.25}>> {
  func.return %arg0 : tensor<2x!quant.uniform<i8:f32:-1, {0.5, 0.25}>>
}

// -----

func.func @quantized_tensor_type_holds(
    %first: tensor<2x3x!quant.uniform<i8:f32:0, {0.5, 0.25}>>,
    %last: tensor<2x3x!quant.uniform<i8:f32:1, {0.5, 0.25, 1.0}>>,
    %dynamic: tensor<?x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) -> tensor<2x3x!quant.uniform<i8:f32:0, {0.5, 0.25}>> {
  %sum = stablehlo.add %first, %first : tensor<2x3x!quant.uniform<i8:f32:0, {0.5, 0.25}>>
  func.return %sum : tensor<2x3x!quant.uniform<i8:f32:0, {0.5, 0.25}>>
}

// -----

// expected-error@+1 {{the rank is 1}}
func.func @quantized_tensor_type_c12(%arg0: tensor<2x!quant.uniform<i8:f32:1, {0.5, 0.25}>>) -> tensor<2x!quant.uniform<i8:f32:1, {0.5, 0.25}>> {
  func.return %arg0 : tensor<2x!quant.uniform<i8:f32:1, {0.5, 0.25}>>
}

// -----

// expected-error@+1 {{three scales along 2}}
func.func @quantized_tensor_type_c13(%arg0: tensor<2x!quant.uniform<i8:f32:0, {0.5, 0.25, 1.0}>>) -> tensor<2x!quant.uniform<i8:f32:0, {0.5, 0.25, 1.0}>> {
  func.return %arg0 : tensor<2x!quant.uniform<i8:f32:0, {0.5, 0.25, 1.0}>>
}

// -----

// expected-error@+1 {{one scale along 2}}
func.func @quantized_tensor_type_c13_one(%arg0: tensor<2x!quant.uniform<i8:f32:0, {0.5}>>) -> tensor<2x!quant.uniform<i8:f32:0, {0.5}>> {
  func.return %arg0 : tensor<2x!quant.uniform<i8:f32:0, {0.5}>>
}
